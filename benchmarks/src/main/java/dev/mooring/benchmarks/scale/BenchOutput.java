package dev.mooring.benchmarks.scale;

/** Output of the benchmarks of the whole process: progress to stderr, limits to stdout. */
final class BenchOutput {
  private BenchOutput() {}

  static void progress(String line) {
    System.err.println("  " + line);
  }

  static void reportLimit(String what, boolean met) {
    System.out.println((met ? "met     " : "MISSED  ") + what);
  }
}
