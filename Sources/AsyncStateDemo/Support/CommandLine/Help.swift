// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// The text of `--help`.
enum Help {
  static let text = """
    USAGE
      AsyncStateDemo [options] [PATH]          a tour of the library; one of its scenes reads the folder PATH
      AsyncStateDemo browse [options] [PATH]   a file browser made of the library

    OPTIONS OF THE TOUR
      --scene NAME   play this scene only; several with commas between them, or the option several times
      --list         name the scenes
      --seed N       other lags; the same seed gives the same tour (default 1)
      --speed X      so many times as fast, from 0.1 to 1000 (default 0.4, and 1 for lines)
      --plain        lines that end by themselves, on a terminal, too

    KEYS OF THE TOUR
      Enter right l            next scene          p space   pause, and go on
      Backspace left h         previous scene      + -       faster, slower
      r                        the same again      q         quit, as does Ctrl-C

    OPTIONS OF THE BROWSER
      --lag MS       how slow the backend is, in milliseconds (default 300)
      --faults       let some requests fail
      --seed N       other lags and other faults (default 1)
      --plain        list PATH once and in lines, as it is done where there is no terminal

    KEYS OF THE BROWSER
      up down k j              move                r    reload: hides the rows, and requests them again
      PageUp PageDown space    a screen at a time  f    refresh: requests them again, and keeps them meanwhile
      Home End g G             first and last      c    cancel all that is running
      Enter right l            open                + -  change the lag
      Backspace left h         the folder above    e    faults on and off
      i                        the inspector       , .  its entries: the one before, the next one
      q                        quit, as Ctrl-C     < >  its time axis: more of it, or less and larger

    EXIT STATUS
      0 success, 64 the command line cannot be understood, 66 PATH cannot be read, 74 the output cannot be written

    With NO_COLOR in the environment there are no colours. A terminal whose TERM is not set or "dumb" gets lines.
    """
}
#endif
