import sys

match sys.argv:
    case [_, name]: print(name)  # expected: newer than Python 3.9
