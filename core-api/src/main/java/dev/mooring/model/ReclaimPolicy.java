package dev.mooring.model;

/** What becomes of a volume when its claim is gone. */
public enum ReclaimPolicy {
  RETAIN("Retain"),
  DELETE("Delete"),
  RECYCLE("Recycle"),
  /** A word that is none of them: nothing may be done to such a volume's data. */
  UNKNOWN("");

  private final String text;

  ReclaimPolicy(String text) {
    this.text = text;
  }

  /** Reads a policy; an absent one is Retain, as the API defaults it. */
  public static ReclaimPolicy of(String text) {
    return switch (text) {
      case "", "Retain" -> RETAIN;
      case "Delete" -> DELETE;
      case "Recycle" -> RECYCLE;
      default -> UNKNOWN;
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
