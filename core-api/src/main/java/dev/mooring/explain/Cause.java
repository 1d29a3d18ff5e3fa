package dev.mooring.explain;

import dev.mooring.model.ReasonCode;

/**
 * A reason, as the catalogue has it ({@code docs/reasons.md}). Codes are stable: what a code means
 * does not change, and no code comes back with another meaning.
 *
 * @param code the code in CamelCase, the same that events carry
 * @param rank how it stands among others
 * @param meaning what it means, for people
 * @param remedy what can be done, for people; "" where there is nothing to be done
 */
public record Cause(String code, Rank rank, String meaning, String remedy) {
  /** That reason, in that rank. */
  public static Cause of(ReasonCode reason, Rank rank) {
    return new Cause(reason.code(), rank, reason.meaning(), reason.remedy());
  }

  /** The same in another rank. */
  public Cause in(Rank other) {
    return new Cause(code, other, meaning, remedy);
  }
}
