package bad.mooring.binder.decide;

/** What may be destroyed. */
public sealed interface SpareVerdict {
  /** It may not. */
  record Spare(String why) implements SpareVerdict {}
}
