package dev.mooring.model;

/** A claim's phase. */
public enum ClaimPhase {
  /** The field is empty or holds a word that is not a phase. */
  UNSET(""),
  PENDING("Pending"),
  BOUND("Bound"),
  LOST("Lost");

  private final String text;

  ClaimPhase(String text) {
    this.text = text;
  }

  /** Reads a phase. */
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
