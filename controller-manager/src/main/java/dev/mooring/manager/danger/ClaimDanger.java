package dev.mooring.manager.danger;

import dev.mooring.manager.danger.DangerSearch.Found;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Danger for the data of a claim.
 *
 * @param volume volume with the data; empty if the claim has no data
 * @param found sequences of acts; without any if the claim has no data
 * @param remedies what makes the danger smaller; only determined for single claims
 */
public record ClaimDanger(
    ObjectKey claim, Optional<Volume> volume, Found found, List<DangerRemedy> remedies) {
  /**
   * A command that protects the data.
   *
   * @param acts number of acts that destroy the data afterwards; empty if none do
   */
  public record DangerRemedy(String command, OptionalInt acts) {}

  /** Returns the number of acts that destroy the data; empty if none do. */
  public OptionalInt acts() {
    return found
        .destruction()
        .map(acts -> OptionalInt.of(acts.size()))
        .orElseGet(OptionalInt::empty);
  }
}
