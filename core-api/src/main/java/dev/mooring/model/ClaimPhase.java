package dev.mooring.model;

/** Phase of a claim. */
public enum ClaimPhase {
  /** The field is empty or contains an unknown value. */
  UNSET(""),
  PENDING("Pending"),
  BOUND("Bound"),
  LOST("Lost");

  private final String text;

  ClaimPhase(String text) {
    this.text = text;
  }

  public static ClaimPhase of(String text) {
    return switch (text) {
      case "Pending" -> PENDING;
      case "Bound" -> BOUND;
      case "Lost" -> LOST;
      default -> UNSET;
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
