package dev.mooring.explain;

import dev.mooring.model.VolumeSnapshot;
import dev.mooring.storage.VolumeService;

/** Known finalizers: owner and condition of removal. */
public final class KnownFinalizers {
  private static final String ATTACHER = "external-attacher/";

  private static final String POPULATION = "/populate-target-protection";

  private KnownFinalizers() {}

  public record Owner(StepActor actor, String releaseCondition) {}

  public static Owner findOwner(String finalizer) {
    if (finalizer.startsWith(ATTACHER)) {
      return new Owner(
          StepActor.DRIVER,
          "external-attacher of %s: until it is detached"
              .formatted(finalizer.substring(ATTACHER.length())));
    }
    if (finalizer.endsWith(POPULATION)) {
      return new Owner(
          StepActor.CONTROLLER, "volume populator: until its pod and the prime claim are removed");
    }
    return findOwnerByName(finalizer);
  }

  public static NextStep createReleaseStep(String finalizer) {
    StepActor actor = findOwner(finalizer).actor();
    return actor == StepActor.PERSON
        ? NextStep.person("have finalizer " + finalizer + " removed by the program that added it")
        : new NextStep(
            actor,
            ExpectedAction.RELEASE,
            finalizer,
            "removes finalizer " + finalizer + " when its work is done",
            actor == StepActor.CONTROLLER ? StepTiming.LATER : StepTiming.OPEN);
  }

  private static Owner findOwnerByName(String finalizer) {
    return switch (finalizer) {
      case "kubernetes.io/pvc-protection" ->
          new Owner(StepActor.CONTROLLER, "claim protection: until no pod uses the claim");
      case "kubernetes.io/pv-protection" ->
          new Owner(StepActor.CONTROLLER, "volume protection: until it is bound to no claim");
      case "kubernetes.io/vac-protection" ->
          new Owner(StepActor.CONTROLLER, "class protection: until no object uses the class");
      case "kubernetes.io/pv-controller" ->
          new Owner(
              StepActor.CONTROLLER,
              "volume controller: until the storage has deleted it, or no longer has to");
      case "external-provisioner.volume.kubernetes.io/finalizer" ->
          new Owner(
              StepActor.PROVISIONER,
              "external-provisioner: until the storage has deleted it, or no longer has to");
      case "provisioner.storage.kubernetes.io/cloning-protection" ->
          new Owner(StepActor.PROVISIONER, "external-provisioner: while a claim is copied from it");
      case VolumeSnapshot.CLAIM_PROTECTION ->
          new Owner(StepActor.CONTROLLER, "snapshot controller: while a snapshot of it is taken");
      case VolumeService.BEING_MADE ->
          new Owner(
              StepActor.PROVISIONER,
              "Mooring's provisioner: until the storage reports whether it created a volume for the claim");
      case "foregroundDeletion", "orphan" ->
          new Owner(
              StepActor.CONTROLLER,
              "garbage collector: until its dependents are deleted or orphaned");
      default ->
          new Owner(
              StepActor.PERSON, "its owner is unknown: the program that added it has to remove it");
    };
  }
}
