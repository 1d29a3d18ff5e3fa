package dev.mooring.model;

/** Phase of a volume. */
public enum VolumePhase {
  /** The field is empty or contains an unknown value. */
  UNSET(""),
  PENDING("Pending"),
  AVAILABLE("Available"),
  BOUND("Bound"),
  RELEASED("Released"),
  FAILED("Failed");

  private final String text;

  VolumePhase(String text) {
    this.text = text;
  }

  public static VolumePhase of(String text) {
    return switch (text) {
      case "Pending" -> PENDING;
      case "Available" -> AVAILABLE;
      case "Bound" -> BOUND;
      case "Released" -> RELEASED;
      case "Failed" -> FAILED;
      default -> UNSET;
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
