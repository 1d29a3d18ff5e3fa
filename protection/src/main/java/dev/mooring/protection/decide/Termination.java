package dev.mooring.protection.decide;

/** Why an object that is being deleted is still there. */
public enum Termination {
  HELD_BY_PODS(
      "it is being deleted, and pods that are scheduled use it",
      "delete the pods, or wait until they end"),
  HELD_BY_CLAIM(
      "it is being deleted, and is bound to a claim", "delete the claim first, if its data may go"),
  HELD_BY_FINALIZERS(
      "it is being deleted, and has finalizers that others have to take away",
      "see why whoever a finalizer belongs to does not; take one away by hand only if nobody will"),
  LETTING_GO("it is being deleted, and nothing uses it any more", "");

  private final String meaning;
  private final String remedy;

  Termination(String meaning, String remedy) {
    this.meaning = meaning;
    this.remedy = remedy;
  }

  /** What it means. */
  public String meaning() {
    return meaning;
  }

  /** What can be done; "" for nothing. */
  public String remedy() {
    return remedy;
  }

  /** The code, in CamelCase. */
  public String code() {
    StringBuilder code = new StringBuilder();
    for (String word : name().split("_", -1)) {
      code.append(word.charAt(0)).append(word.substring(1).toLowerCase(java.util.Locale.ROOT));
    }
    return code.toString();
  }
}
