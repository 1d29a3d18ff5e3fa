package bad.mooring.attachdetach.decide;

/** R14: a report to the actual state of world. */
public sealed interface WorldUpdate {
  record Attached(String volume) implements WorldUpdate {}
}
