package dev.mooring.binder.execute;

import dev.mooring.binder.decide.ProvisionDecider;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.state.ProvisionJob;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import dev.mooring.operation.JobResult;
import dev.mooring.storage.PluginStorage;
import dev.mooring.storage.SavePolicy;
import dev.mooring.storage.SaveResult;
import dev.mooring.storage.VolumeSaver;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.decide.SavedVerdict;

/** Saves the volumes that plugins made and reports the result. Thread-safe; blocks. */
public final class JobSaver {
  private final BinderReporter reporter;
  private final VolumeSaver saver;

  public JobSaver(ClusterPorts ports, BinderReporter reporter, SavePolicy policy) {
    this.reporter = reporter;
    this.saver = new VolumeSaver(ports, policy);
  }

  SavedVerdict findSaved(ProvisionJob job) throws InterruptedException {
    return saver.checkSaved(ProvisionDecider.volumeKey(job.claim()), job.claim());
  }

  /**
   * Saves the volume.
   *
   * @return the end of the job: after no answer the object may exist; after a failure the volume
   *     was destroyed as far as possible
   */
  JobResult save(ProvisionJob job, PluginStorage.CreatedVolume created)
      throws InterruptedException {
    return switch (saver.save(job.order(), job.completeVolume(created), listener(job.claim()))) {
      case SaveResult.Saved() -> {
        reporter.reportProvisioned(job.claim(), job.order().volumeName(), job.plugin());
        yield JobResult.DONE;
      }
      case SaveResult.Found(WriteResult<Volume> result) -> reportUncertainSave(job.claim(), result);
      case SaveResult.NameTaken(SavedVerdict.NameTaken nameTaken) -> {
        reporter.reportTakenName(job.claim(), nameTaken);
        yield JobResult.unreachable(
            "another volume has the name " + nameTaken.holder().meta().name());
      }
      case SaveResult.Unknown(WriteResult<Volume> result, String _) ->
          reportUncertainSave(job.claim(), result);
      case SaveResult.Unsaved(WriteResult<Volume> result) ->
          JobResult.unreachable(describe(result));
    };
  }

  private JobResult reportUncertainSave(Claim claim, WriteResult<Volume> result) {
    reportUnsaved(
        claim, result, " It may have been saved: the volume is kept and saving is retried.");
    return new JobResult.Unanswered(describe(result));
  }

  private VolumeSaver.Listener listener(Claim claim) {
    return new VolumeSaver.Listener() {
      @Override
      public void creationFailed(WriteResult<Volume> result) {
        reportUnsaved(claim, result, " Deleting the volume.");
      }

      @Override
      public void rollbackFailed(DestroyResult result) {
        reporter.reportCleanupFailure(
            claim,
            "Error cleaning provisioned volume for claim "
                + claim.key()
                + ": "
                + describe(result)
                + ". Please delete manually.");
      }
    };
  }

  private void reportUnsaved(Claim claim, WriteResult<Volume> result, String consequence) {
    reporter.reportProvisioningFailure(
        claim,
        Reason.VOLUME_NOT_SAVED,
        "Error creating provisioned PV object for claim "
            + claim.key()
            + ": "
            + describe(result)
            + "."
            + consequence);
  }

  private static String describe(WriteResult<Volume> result) {
    return switch (result) {
      case WriteResult.Conflict<Volume>(String message) -> message;
      case WriteResult.Rejected<Volume>(int _, String message) -> message;
      case WriteResult.Unreachable<Volume>(String message) -> message;
      case WriteResult.Gone<Volume> _ -> "the API server does not serve PersistentVolumes";
      case WriteResult.Written<Volume> _ -> throw new IllegalStateException("the volume is saved");
    };
  }

  private static String describe(DestroyResult result) {
    return switch (result) {
      case DestroyResult.Failed(String message) -> message;
      case DestroyResult.Unknown(String message) -> message;
      case DestroyResult.NotResponsible(String message) -> message;
      case DestroyResult.Destroyed() -> throw new IllegalStateException("the volume is destroyed");
    };
  }
}
