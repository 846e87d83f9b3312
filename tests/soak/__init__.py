"""The soak: every reader, protocol and page under inputs that almost make sense, for hours.

    make soak                                    five minutes over all subjects
    make soak MINUTES=120
    make soak COUNT=1000000 ONLY=records         a million inputs for each reader of records
    make soak ONLY=records.chess SEED=1 INPUT=9  one input again, with its traceback

A subject (`soak.subject.Subject`) makes inputs and tries them. Input number i of a seed is always
the same. `make test` tries the first few of each; `make soak` goes on from where it was stopped.
"""
