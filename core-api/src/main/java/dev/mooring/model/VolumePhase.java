package dev.mooring.model;

/** A volume's phase. */
public enum VolumePhase {
  /** The field is empty or holds a word that is not a phase. */
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

  /** Reads a phase. */
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
