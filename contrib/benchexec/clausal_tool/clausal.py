"""How BenchExec runs Clausal and reads its verdicts.

C programs go to `clausal svcomp`, with the property, the data model and a witness; Horn clauses (.smt2) go to
`clausal solve`, where `sat` means that the error is not reached. Usable out of BenchExec's tree: put the folder above into
PYTHONPATH and write tool="clausal_tool.clausal" into the benchmark definition.
"""

import re

import benchexec.result as result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException


class Tool(BaseTool2):
    """Clausal as a tool of BenchExec's."""

    REQUIRED_PATHS = ["clausal"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("clausal")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="clausal ")

    def name(self):
        return "Clausal"

    def cmdline(self, executable, options, task, rlimits):
        file = task.single_input_file
        limits = []
        # Both end by themselves shortly before they would be ended, and say why.
        if rlimits.cputime:
            limits += ["--timeout", str(max(rlimits.cputime - 1, 1))]
        if rlimits.memory:
            limits += ["--max-memory", str(max(rlimits.memory * 9 // 10 // 1048576, 1))]
        if file.endswith(".smt2"):
            return [executable, "solve", *limits, *options, file]
        if not task.property_file:
            raise UnsupportedFeatureException("C is verified for a property: the task has none")
        model = (task.options or {}).get("data_model", "ILP32")
        if model not in ("ILP32", "LP64"):
            raise UnsupportedFeatureException(f"the data model '{model}' is neither ILP32 nor LP64")
        own = ["--property", task.property_file, "--data-model", model, "--witness", "witness.yml"]
        return [executable, "svcomp", *limits, *own, *options, file]

    def determine_result(self, run):
        if run.was_timeout:
            return "TIMEOUT"
        if run.exit_code.signal:
            return f"KILLED BY SIGNAL {run.exit_code.signal}"
        if run.exit_code.value == 70:
            return "ERROR (internal)"
        if run.exit_code.value in (1, 2):
            return "ERROR (refused)" if run.exit_code.value == 1 else result.RESULT_ERROR
        for line in run.output:
            line = line.strip()
            if line in ("true", "sat"):
                return result.RESULT_TRUE_PROP
            if line in ("false", "unsat"):
                return result.RESULT_FALSE_PROP
            if re.fullmatch(r"false\([a-z-]+\)", line):
                return line
            if line == "unknown":
                return result.RESULT_UNKNOWN
        return result.RESULT_ERROR
