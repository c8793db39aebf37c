?- p("start").
