package dev.mooring.binder.execute;

import dev.mooring.binder.decide.NoPlugin.Role;
import dev.mooring.binder.decide.ProvisionDecider;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.SavedVerdict;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.operation.Completion;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.Plugins;
import java.time.Duration;

/**
 * Saves volumes that plugins have made; destroys them again where the server does not take them.
 * Thread-safe; blocks.
 */
final class VolumeSaver {
  private static final int SAVE_ATTEMPTS = 5;
  private static final Duration BETWEEN_SAVES = Duration.ofSeconds(10);

  private final ClusterPorts ports;
  private final Plugins plugins;
  private final BinderReporter reporter;

  VolumeSaver(ClusterPorts ports, Plugins plugins, BinderReporter reporter) {
    this.ports = ports;
    this.plugins = plugins;
    this.reporter = reporter;
  }

  /** Whether the claim's volume is saved. */
  SavedVerdict isSaved(Claim claim) throws InterruptedException {
    return LiveDecisions.decide(
        ports.reader(), LiveFacts.NONE, live -> ProvisionDecider.isSaved(claim, live));
  }

  /** Whether the server says that there is no such volume: only then is it nobody's. */
  private boolean isUnsaved(Claim claim) throws InterruptedException {
    return isSaved(claim) instanceof SavedVerdict.NotThere;
  }

  /**
   * Saves it, in several attempts, and tells what comes of it.
   *
   * @return how it ended: without an answer it may be there; where it failed the volume was
   *     destroyed as far as that was possible
   */
  Completion save(ProvisionJob job, Provisioner.Provisioned made) throws InterruptedException {
    String problem = "";
    for (int attempt = 1; attempt <= SAVE_ATTEMPTS; attempt++) {
      WriteResult<Volume> result =
          ports.writer().create(Kind.VOLUME, ObjectKey.cluster(job.volume()), job.document(made));
      switch (result) {
        case WriteResult.Written<Volume> _ -> {
          return saved(job);
        }
        case WriteResult.Conflict<Volume>(String message) -> {
          // it is there, from an earlier attempt; unless the server says so of what is not
          if (!isUnsaved(job.claim())) {
            return saved(job);
          }
          problem = message;
        }
        case WriteResult.Gone<Volume> _ -> problem = "the server does not have PersistentVolumes";
        case WriteResult.Rejected<Volume>(int _, String message) -> problem = message;
        case WriteResult.Unreachable<Volume>(String message) -> problem = message;
      }
      ports.time().sleep(BETWEEN_SAVES);
    }
    return notSaved(job, made, problem);
  }

  private Completion saved(ProvisionJob job) {
    reporter.provisioned(job.claim(), job.volume(), job.plugin());
    return Completion.DONE;
  }

  private Completion notSaved(ProvisionJob job, Provisioner.Provisioned made, String problem)
      throws InterruptedException {
    String note =
        "Error creating provisioned PV object for claim " + job.key() + ": " + problem + ".";
    if (!isUnsaved(job.claim())) {
      reporter.provisioningFailed(
          job.claim(),
          Reason.VOLUME_NOT_SAVED,
          note + " It may have been saved: the volume is kept and tried again.");
      return new Completion.Unanswered(problem);
    }
    reporter.provisioningFailed(
        job.claim(), Reason.VOLUME_NOT_SAVED, note + " Deleting the volume.");
    cleanUp(job, Deleter.Request.of(job.request(), made));
    return Completion.unreachable(problem);
  }

  private void cleanUp(ProvisionJob job, Deleter.Request request) throws InterruptedException {
    String problem = "";
    for (int attempt = 1; attempt <= SAVE_ATTEMPTS; attempt++) {
      problem = takeBack(job.plugin(), request);
      if (problem.isEmpty()) {
        return;
      }
      ports.time().sleep(BETWEEN_SAVES);
      if (!isUnsaved(job.claim())) {
        problem = "whether it is saved by now is unknown";
        break;
      }
    }
    reporter.cleanupFailed(
        job.claim(),
        "Error cleaning provisioned volume for claim "
            + job.key()
            + ": "
            + problem
            + ". Please delete manually.");
  }

  /** Destroys what was made; what went wrong. */
  private String takeBack(String plugin, Deleter.Request request) {
    return plugins
        .named(plugin)
        .flatMap(VolumePlugin::deleter)
        .map(deleter ->
            deleter.delete(request) instanceof Attempt.Failed<Deleter.Gone>(Failure why)
                ? why.message()
                : "")
        .orElse(Role.DELETABLE.missing());
  }
}
