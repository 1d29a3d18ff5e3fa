package dev.mooring.provisioner;

import com.google.inject.Inject;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.ProtectionHandover;
import dev.mooring.storage.SavedVolumes;

/** State that all provision controllers share with the other controllers of the process. */
record SharedState(
    DeletionBreaker breaker, SavedVolumes savedVolumes, ProtectionHandover handover) {
  @Inject
  SharedState {}
}
