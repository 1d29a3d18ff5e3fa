package bad.mooring.attachdetach.decide;

/** What becomes known. */
public sealed interface WorldUpdate {
  /** It is attached. */
  record Attached(String volume) implements WorldUpdate {}
}
