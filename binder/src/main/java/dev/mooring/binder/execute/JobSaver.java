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
import dev.mooring.storage.VolumeService.Destroying;
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
    return saver.isSaved(ProvisionDecider.volumeOf(job.claim()), job.claim());
  }

  /**
   * Saves the volume.
   *
   * @return the end of the job: after no answer the object may exist; after a failure the volume
   *     was destroyed as far as possible
   */
  JobResult save(ProvisionJob job, PluginStorage.Made made) throws InterruptedException {
    return switch (saver.save(job.order(), job.complete(made), listener(job.claim()))) {
      case SaveResult.Saved() -> {
        reporter.provisioned(job.claim(), job.order().volumeName(), job.plugin());
        yield JobResult.DONE;
      }
      case SaveResult.Found(WriteResult<Volume> last) -> kept(job.claim(), last);
      case SaveResult.NameTaken(SavedVerdict.NameTaken taken) -> {
        reporter.nameTaken(job.claim(), taken);
        yield JobResult.unreachable("another volume has the name " + taken.by().meta().name());
      }
      case SaveResult.Unknown(WriteResult<Volume> last, String _) -> kept(job.claim(), last);
      case SaveResult.Unsaved(WriteResult<Volume> last) -> JobResult.unreachable(problem(last));
    };
  }

  private JobResult kept(Claim claim, WriteResult<Volume> last) {
    notSaved(claim, last, " It may have been saved: the volume is kept and saving is retried.");
    return new JobResult.Unanswered(problem(last));
  }

  private VolumeSaver.Listener listener(Claim claim) {
    return new VolumeSaver.Listener() {
      @Override
      public void unsaved(WriteResult<Volume> last) {
        notSaved(claim, last, " Deleting the volume.");
      }

      @Override
      public void leftBehind(Destroying end) {
        reporter.cleanupFailed(
            claim,
            "Error cleaning provisioned volume for claim "
                + claim.key()
                + ": "
                + problem(end)
                + ". Please delete manually.");
      }
    };
  }

  private void notSaved(Claim claim, WriteResult<Volume> last, String what) {
    reporter.provisioningFailed(
        claim,
        Reason.VOLUME_NOT_SAVED,
        "Error creating provisioned PV object for claim "
            + claim.key()
            + ": "
            + problem(last)
            + "."
            + what);
  }

  private static String problem(WriteResult<Volume> last) {
    return switch (last) {
      case WriteResult.Conflict<Volume>(String message) -> message;
      case WriteResult.Rejected<Volume>(int _, String message) -> message;
      case WriteResult.Unreachable<Volume>(String message) -> message;
      case WriteResult.Gone<Volume> _ -> "the API server does not serve PersistentVolumes";
      case WriteResult.Written<Volume> _ -> throw new IllegalStateException("the volume is saved");
    };
  }

  private static String problem(Destroying end) {
    return switch (end) {
      case Destroying.Failed(String message) -> message;
      case Destroying.Unknown(String why) -> why;
      case Destroying.Left(String why) -> why;
      case Destroying.Destroyed() -> throw new IllegalStateException("the volume is destroyed");
    };
  }
}
