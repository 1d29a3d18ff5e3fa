package bad.mooring.binder.decide;

/** R13: a verdict. */
public sealed interface SpareVerdict {
  record Spare(String reason) implements SpareVerdict {}
}
