package dev.mooring.manager.undo;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;

/** The next step for one volume. After each step the state is read and planned again. */
public sealed interface UndoStep {
  /**
   * Reserve the volume for a claim of that name: remove the uid from its claimRef. From then on no
   * controller destroys the volume, and no other claim gets it.
   */
  record ReserveVolume(Volume volume, ObjectKey claim) implements UndoStep {}

  record CreateClaim(Volume volume, ObjectKey claim) implements UndoStep {}

  record ClearVolume(Volume volume, ObjectKey claim) implements UndoStep {}

  /**
   * Nothing may be written.
   *
   * @param problem one line with the remedy
   */
  record Impossible(String problem) implements UndoStep {}
}
