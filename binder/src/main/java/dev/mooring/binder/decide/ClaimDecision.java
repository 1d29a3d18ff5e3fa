package dev.mooring.binder.decide;

import dev.mooring.model.ReasonedChoice;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;

public sealed interface ClaimDecision {
  record Bind(Volume volume) implements ClaimDecision {}

  record ContinueSearch() implements ClaimDecision {}

  record TakeDefaultClass(String className) implements ClaimDecision {}

  record Provision(StorageClass storageClass, String plugin) implements ClaimDecision {}

  record HandOver(StorageClass storageClass, String provisioner) implements ClaimDecision {}

  record Reselect(String node) implements ClaimDecision {}

  record Wait(Reason why, String note, boolean setPending)
      implements ClaimDecision, ReasonedChoice {}

  record Leave(Reason why) implements ClaimDecision, ReasonedChoice {}

  record RefuseCopy(String plugin, String note) implements ClaimDecision {}

  record MarkLost(Reason why, String note) implements ClaimDecision, ReasonedChoice {}

  record Contradiction(Reason why, String note) implements ClaimDecision, ReasonedChoice {}

  record AwaitCache(String what) implements ClaimDecision {}

  record CannotTell(String why) implements ClaimDecision {}
}
