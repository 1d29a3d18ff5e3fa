package dev.mooring.manager.doctor;

/**
 * Result of one check.
 *
 * @param check name of the check
 * @param text what was found
 * @param remedy what to do; "" for nothing
 */
public record CheckResult(String check, Outcome outcome, String text, String remedy) {
  public enum Outcome {
    OK,
    WARN,
    FAIL
  }

  static CheckResult ok(String check, String text) {
    return new CheckResult(check, Outcome.OK, text, "");
  }

  static CheckResult warn(String check, String text, String remedy) {
    return new CheckResult(check, Outcome.WARN, text, remedy);
  }

  static CheckResult fail(String check, String text, String remedy) {
    return new CheckResult(check, Outcome.FAIL, text, remedy);
  }
}
