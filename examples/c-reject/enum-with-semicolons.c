enum e { A; B; C };
