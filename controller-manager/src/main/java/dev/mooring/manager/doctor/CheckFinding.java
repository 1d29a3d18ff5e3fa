package dev.mooring.manager.doctor;

/**
 * Finding of one check.
 *
 * @param check name of the check
 * @param text what was found
 * @param remedy what to do; "" for nothing
 */
public record CheckFinding(String check, Outcome outcome, String text, String remedy) {
  public enum Outcome {
    OK,
    WARN,
    FAIL
  }

  static CheckFinding ok(String check, String text) {
    return new CheckFinding(check, Outcome.OK, text, "");
  }

  static CheckFinding warn(String check, String text, String remedy) {
    return new CheckFinding(check, Outcome.WARN, text, remedy);
  }

  static CheckFinding fail(String check, String text, String remedy) {
    return new CheckFinding(check, Outcome.FAIL, text, remedy);
  }
}
