"""The solver cvc5 in the shape of a program: answers the question in a file of SMT-LIB on standard output.

Its package is a library; Halmos starts a program. Words of 256 bits are solved as whole numbers: division by a constant
takes a second so, and does not end when it is solved bit by bit."""

import sys

from cvc5 import InputLanguage, InputParser, Solver

solver = Solver()
solver.setOption("produce-models", "true")
solver.setOption("solve-bv-as-int", "sum")
parser = InputParser(solver)
parser.setFileInput(InputLanguage.SMT_LIB_2_6, sys.argv[1])
while not (command := parser.nextCommand()).isNull():
    print(command.invoke(solver, parser.getSymbolManager()), end="")
