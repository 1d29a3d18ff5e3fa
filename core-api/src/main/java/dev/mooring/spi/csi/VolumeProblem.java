package dev.mooring.spi.csi;

/**
 * A problem of a volume: VolumeHealthEntry of CSI 1.13.
 *
 * @param severity kind of the problem
 * @param reason CamelCase reason; empty if the driver breaks the specification
 * @param message description for users; may be empty
 */
public record VolumeProblem(Severity severity, String reason, String message) {
  /** Kinds of problems, as claims name them. */
  public enum Severity {
    DEGRADED("Degraded", 1),
    INACCESSIBLE("Inaccessible", 2),
    DATA_LOSS("DataLoss", 3);

    private final String text;
    private final int number;

    Severity(String text, int number) {
      this.text = text;
      this.number = number;
    }

    public String text() {
      return text;
    }

    /**
     * Returns the severity of a number of VolumeHealthErrorType; {@link #DEGRADED} for a number of
     * a later specification, like external-health-monitor.
     */
    public static Severity of(int number) {
      for (Severity severity : values()) {
        if (severity.number == number) {
          return severity;
        }
      }
      return DEGRADED;
    }
  }
}
