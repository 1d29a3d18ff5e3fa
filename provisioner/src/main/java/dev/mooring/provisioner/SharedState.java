package dev.mooring.provisioner;

import com.google.inject.Inject;
import dev.mooring.storage.DeletionGuards;
import dev.mooring.storage.ProtectionHandover;
import dev.mooring.storage.SavedVolumes;

/** State that all provision controllers share with the other controllers of the process. */
record SharedState(DeletionGuards guards, SavedVolumes savedVolumes, ProtectionHandover handover) {
  @Inject
  SharedState {}
}
