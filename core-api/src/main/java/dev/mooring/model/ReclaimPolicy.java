package dev.mooring.model;

/** Action on a volume after its claim is deleted. */
public enum ReclaimPolicy {
  RETAIN("Retain"),
  DELETE("Delete"),
  RECYCLE("Recycle"),
  /** The value is unknown: no component may touch the volume's data. */
  UNKNOWN("");

  private final String text;

  ReclaimPolicy(String text) {
    this.text = text;
  }

  /** Parses a policy; an absent value is Retain, the API's default. */
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
