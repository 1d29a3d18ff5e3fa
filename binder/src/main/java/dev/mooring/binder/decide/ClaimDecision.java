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

  record Wait(Reason reason, String message, boolean setPending)
      implements ClaimDecision, ReasonedChoice {}

  record Leave(Reason reason) implements ClaimDecision, ReasonedChoice {}

  record RefuseDataSource(String plugin, String message) implements ClaimDecision {}

  record MarkLost(Reason reason, String message) implements ClaimDecision, ReasonedChoice {}

  record Contradiction(Reason reason, String message) implements ClaimDecision, ReasonedChoice {}

  record AwaitCache(String missingObject) implements ClaimDecision {}

  record Unknown(String message) implements ClaimDecision {}
}
