#!/usr/bin/env python3
"""Verifies many files on a Dask cluster: `clausal_dask.py OUTPUT.jsonl FILE... [--scheduler ADDRESS]`.

Each file is one task of Dask's, which runs `clausal verify --json` in a process of its own with a limit. A worker that is killed
loses nothing: Dask gives its tasks to others. What is done is in OUTPUT.jsonl at once, a line for each file, so that the same
command goes on where it was stopped. Without `--scheduler` a cluster is started on this machine.
"""

import argparse
import ctypes
import json
import os
import pathlib
import signal
import subprocess
import sys

import dask
from distributed import Client, LocalCluster, as_completed

# A task is lost for Dask when this many workers have died while they had it: killed workers are expected here.
ALLOWED_FAILURES = 100

PR_SET_PDEATHSIG = 1


def die_with_parent():
    """Lets the kernel kill this process when the worker is killed; where there is no prctl, the time limit ends it."""
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    except (AttributeError, OSError):
        pass


def verify(binary, file, seconds, options):
    """What `clausal verify --json` says of a file: one object, whatever happens."""
    command = [binary, "verify", "--json", "--timeout", str(seconds), *options, file]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=die_with_parent
    )
    try:
        # It ends by itself at its limit; twice as long is a fault of its own.
        text, _ = process.communicate(timeout=2 * seconds + 10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return {"file": file, "verdict": "unknown", "reason": "killed at twice the limit"}
    try:
        found = json.loads(text)
    except ValueError:
        return {"file": file, "verdict": "unknown", "reason": f"no report (exit code {process.returncode})"}
    return {**found, "file": file}


def done_before(path):
    """The files that a line is there for. A torn last line, of a run that was killed, is cut off."""
    if not path.exists():
        return set()
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        path.write_bytes(whole)
    return {json.loads(line)["file"] for line in whole.splitlines()}


def batch(client, binary, files, seconds, options, output):
    """Verifies what has no line yet, and appends a line for each file when it is done."""
    done = done_before(output)
    left = [file for file in dict.fromkeys(files) if file not in done]
    # Runs are not pure: they are done again although Dask knows the same call.
    futures = client.map(lambda file: verify(binary, file, seconds, options), left, pure=False, retries=3)
    with open(output, "a") as lines:
        for future, found in as_completed(futures, with_results=True, raise_errors=False):
            if future.status != "finished":
                print(f"error: {found}", file=sys.stderr)
                continue
            lines.write(json.dumps(found) + "\n")
            lines.flush()
            os.fsync(lines.fileno())
    return len(left)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path, metavar="OUTPUT.jsonl")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a cluster that is there, such as tcp://host:8786")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="workers to start if there is no cluster")
    parser.add_argument("--timeout", type=float, default=60, metavar="S", help="seconds for each file")
    parser.add_argument("--binary", default="clausal", help="the command, on every worker's machine")
    parser.add_argument("--option", action="append", default=[], help="a further option for `clausal verify`")
    arguments = parser.parse_args()
    dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_FAILURES})
    cluster = None
    if not arguments.scheduler:
        cluster = LocalCluster(n_workers=arguments.workers, threads_per_worker=1, dashboard_address=None)
    with Client(arguments.scheduler or cluster) as client:
        count = batch(
            client, arguments.binary, arguments.files, arguments.timeout, arguments.option, arguments.output
        )
    if cluster:
        cluster.close()
    print(f"{count} files verified, {len(done_before(arguments.output))} lines in {arguments.output}")


if __name__ == "__main__":
    main()
