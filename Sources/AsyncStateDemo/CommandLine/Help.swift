#if os(macOS) || os(Linux)
/// What there is to be asked for.
enum Help {
  static let text = """
    USAGE
      AsyncStateDemo [options] [PATH]          a tour of the library; one of its scenes reads the folder PATH
      AsyncStateDemo browse [options] [PATH]   a file browser made of the library

    OPTIONS OF THE TOUR
      --scene NAME   play this scene only; several with commas between them, or the option several times
      --list         name the scenes
      --seed N       another story; the same seed gives the same lines (default 1)
      --speed X      so many times as fast, from 0.1 to 1000 (default 1)
      --plain        lines only, in a terminal too

    OPTIONS OF THE BROWSER
      --lag MS       how slow the backend is, in milliseconds (default 300)
      --faults       let some requests meet a fault
      --seed N       other lags and other faults (default 1)
      --plain        list PATH once and in lines, as it is done where there is no terminal

    KEYS OF THE BROWSER
      up down k j              move                r    reload: hides the rows, and asks again
      PageUp PageDown space    a screen at a time  f    refresh: asks again, and keeps the rows
      Home End g G             first and last      c    cancel what is under way
      Enter right l            open                + -  change the lag
      Backspace left h         go up               e    faults on and off
                                                   q    quit, as does Ctrl-C

    EXIT STATUS
      0 all is well, 64 the command line means nothing, 66 PATH cannot be read

    With NO_COLOR in the environment there are no colours.
    """
}
#endif
