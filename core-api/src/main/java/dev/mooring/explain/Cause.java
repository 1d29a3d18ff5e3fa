package dev.mooring.explain;

import dev.mooring.model.ReasonCode;

/**
 * Reason from the catalogue ({@code docs/reasons.md}). Codes are stable: a code keeps its meaning
 * and is never reused.
 *
 * @param code CamelCase code, the same as in events
 * @param rank precedence among reasons
 * @param meaning meaning in words
 * @param remedy advice; "" if there is none
 */
public record Cause(String code, CauseRank rank, String meaning, String remedy) {
  public static Cause of(ReasonCode reason, CauseRank rank) {
    return new Cause(reason.code(), rank, reason.meaning(), reason.remedy());
  }

  public Cause withRank(CauseRank newRank) {
    return new Cause(code, newRank, meaning, remedy);
  }
}
