package dev.mooring.benchmarks.scale;

/** What a benchmark of the whole process tells people: how far it is, and which bars are met. */
final class Progress {
  private Progress() {}

  /** How far it is: not part of what came out. */
  static void say(String line) {
    System.err.println("  " + line);
  }

  static void bar(String what, boolean met) {
    System.out.println((met ? "met     " : "MISSED  ") + what);
  }
}
