package dev.mooring.plugin.localpath;

import dev.mooring.model.Node;
import dev.mooring.model.Volume;
import dev.mooring.plugin.localpath.DirectoryJob.Completed;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.PluginCluster;
import dev.mooring.spi.Provisioner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

final class LocalPathProvisioner implements Provisioner {
  private static final Duration OTHER_NODE_RETRY_DELAY = Duration.ofSeconds(1);

  private final ReloadedConfig config;
  private final PluginCluster cluster;
  private final JobRunner jobRunner;

  LocalPathProvisioner(ReloadedConfig config, PluginCluster cluster, JobRunner jobRunner) {
    this.config = config;
    this.cluster = cluster;
    this.jobRunner = jobRunner;
  }

  @Override
  public Optional<String> refuses(Request request) {
    try {
      check(request, config.current());
      return Optional.empty();
    } catch (InvalidInputException e) {
      return Optional.of("StorageClass " + request.className() + ": " + e.reason());
    }
  }

  private static void check(Request request, LocalPathConfig currentConfig)
      throws InvalidInputException {
    VolumePlacement.check(
        request,
        currentConfig.nodePaths(request.className()),
        currentConfig.limits(request.className()));
  }

  @Override
  public Attempt<Provisioned> provision(Request request) {
    try {
      LocalPathConfig currentConfig = config.current();
      check(request, currentConfig);
      return provision(request, currentConfig, currentConfig.nodePaths(request.className()));
    } catch (InvalidInputException e) {
      return Attempt.rejected(e.reason());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.Failed<>(
          new Failure.Uncertain("interrupted; the next retry continues the work"));
    }
  }

  private Attempt<Provisioned> provision(
      Request request, LocalPathConfig currentConfig, NodePaths nodePaths)
      throws InvalidInputException, InterruptedException {
    String selectedNode = request.selectedNode();
    if (selectedNode == null) {
      return placeVolume(request, currentConfig, nodePaths, Optional.empty());
    }
    return switch (cluster.node(selectedNode)) {
      case Attempt.Failed<Optional<Node>>(Failure failure) -> new Attempt.Failed<>(failure);
      case Attempt.Done<Optional<Node>>(Optional<Node> node) ->
          node.isEmpty()
              ? requestOtherNode("node " + selectedNode + " no longer exists")
              : placeVolume(request, currentConfig, nodePaths, node);
    };
  }

  private static Attempt<Provisioned> requestOtherNode(String reason) {
    return new Attempt.Failed<>(new Failure.Exhausted(reason, OTHER_NODE_RETRY_DELAY));
  }

  private Attempt<Provisioned> placeVolume(
      Request request, LocalPathConfig currentConfig, NodePaths nodePaths, Optional<Node> node)
      throws InvalidInputException, InterruptedException {
    List<VolumePlacement> candidates = VolumePlacement.of(request, nodePaths, node);
    if (!currentConfig.hasMaxCapacity()) {
      return makeDirectory(candidates.getFirst(), request, currentConfig, nodePaths, node);
    }
    return switch (jobRunner.capacity().reserve(request, candidates, nodePaths, node)) {
      case Attempt.Failed<CapacityLedger.Reservation>(Failure failure) ->
          new Attempt.Failed<>(failure);
      case Attempt.Done<CapacityLedger.Reservation>(CapacityLedger.Reservation reservation) -> {
        Attempt<Provisioned> result =
            makeDirectory(reservation.placement(), request, currentConfig, nodePaths, node);
        if (reservation.isFirst() && hasNoEffect(result)) {
          jobRunner.capacity().release(request.volumeName());
        }
        yield result;
      }
    };
  }

  private static boolean hasNoEffect(Attempt<Provisioned> attempt) {
    return attempt instanceof Attempt.Failed<Provisioned>(Failure failure)
        && !(failure instanceof Failure.Uncertain || failure instanceof Failure.Fault);
  }

  private static DirectoryJob creationJob(
      VolumePlacement placement, Request request, Optional<Node> node) {
    return new DirectoryJob(
        DirectoryAction.MAKE,
        placement.directory(),
        request.volumeName(),
        node.map(n -> n.meta().name()).orElse(""));
  }

  private Attempt<Provisioned> makeDirectory(
      VolumePlacement placement,
      Request request,
      LocalPathConfig currentConfig,
      NodePaths nodePaths,
      Optional<Node> node)
      throws InterruptedException {
    DirectoryJob job = creationJob(placement, request, node);
    if (node.isPresent() && !jobRunner.canRun(job, node.get())) {
      return requestOtherNode("node " + job.node() + " is not ready");
    }
    Optional<Attempt<Provisioned>> conflict =
        placement.hasOwnDirectory()
            ? Optional.empty()
            : findConflict(
                placement,
                request,
                nodePaths instanceof NodePaths.Shared ? Optional.empty() : node);
    if (conflict.isPresent()) {
      return conflict.get();
    }
    return switch (jobRunner.run(job, currentConfig.timeout())) {
      case Attempt.Done<Completed> _ -> Attempt.done(placement.provisioned());
      case Attempt.Failed<Completed>(Failure failure) -> new Attempt.Failed<>(failure);
    };
  }

  private Optional<Attempt<Provisioned>> findConflict(
      VolumePlacement placement, Request request, Optional<Node> node) throws InterruptedException {
    if (!(cluster.volumes() instanceof Attempt.Done<List<Volume>>(List<Volume> volumes))) {
      return Optional.of(
          new Attempt.Failed<>(
              new Failure.Unreachable(
                  "the owner of %s cannot be determined now; retrying"
                      .formatted(placement.directory()))));
    }
    List<Volume> neighbours =
        SharedDirectories.findSharing(placement.directory(), request.volumeName(), node, volumes);
    return switch (SharedDirectories.decideUse(
        placement.directory(), request.claim().key(), neighbours)) {
      case SharedDirectories.Verdict.Free() -> Optional.empty();
      case SharedDirectories.Verdict.NotYet(String reason) ->
          Optional.of(new Attempt.Failed<>(new Failure.InUse(reason)));
      case SharedDirectories.Verdict.Taken(String reason) -> Optional.of(Attempt.rejected(reason));
    };
  }
}
