package dev.mooring.plugin.localpath;

import dev.mooring.model.Node;
import dev.mooring.model.Volume;
import dev.mooring.plugin.localpath.DirectoryJob.Completed;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.PluginCluster;
import dev.mooring.spi.PluginContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

final class LocalPathDeleter implements Deleter {
  enum MissingNodePolicy {
    KEEP,
    /** The volume is deleted; its data stays on the node's disk. */
    FORGET
  }

  private final String provisioner;
  private final ReloadedConfig config;
  private final PluginCluster cluster;
  private final JobRunner jobRunner;
  private final MissingNodePolicy missingNodePolicy;
  private final Logger log;

  LocalPathDeleter(
      String provisioner,
      ReloadedConfig config,
      PluginContext context,
      JobRunner jobRunner,
      MissingNodePolicy missingNodePolicy) {
    this.provisioner = provisioner;
    this.config = config;
    this.cluster = context.cluster();
    this.log = context.logger();
    this.jobRunner = jobRunner;
    this.missingNodePolicy = missingNodePolicy;
  }

  @Override
  public Attempt<Deleted> delete(Request request) {
    Attempt<Deleted> result = deleteDirectory(request);
    if (result instanceof Attempt.Done<Deleted>) {
      jobRunner.capacity().release(request.volumeName());
    }
    return result;
  }

  private Attempt<Deleted> deleteDirectory(Request request) {
    try {
      LocalPathConfig currentConfig = config.current();
      NodePaths nodePaths = currentConfig.nodePathsForRemoval(request.className());
      return nodePaths instanceof NodePaths.Shared
          ? removeDirectory(request, nodePaths, Optional.empty(), currentConfig.timeout())
          : deleteOnNode(request, nodePaths, currentConfig.timeout());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.Failed<>(
          new Failure.Uncertain("interrupted; the next retry continues the work"));
    }
  }

  private Attempt<Deleted> deleteOnNode(Request request, NodePaths nodePaths, Duration timeout)
      throws InterruptedException {
    Optional<String> nodeName =
        VolumeLocation.findNodeName(
            request.nodeAffinity(),
            request.annotations().getOrDefault(VolumePlacement.NODE_ANNOTATION, ""));
    if (nodeName.isEmpty()) {
      return Attempt.rejected(
          "volume " + request.volumeName() + " does not name the node that it is bound to");
    }
    Attempt<Optional<Node>> nodeAnswer = cluster.node(nodeName.get());
    if (!(nodeAnswer instanceof Attempt.Done<Optional<Node>>(Optional<Node> node))) {
      return new Attempt.Failed<>(((Attempt.Failed<Optional<Node>>) nodeAnswer).failure());
    }
    VolumeLocation location =
        VolumeLocation.of(request.nodeAffinity(), nodeName.get(), node, Optional.empty());
    if (location instanceof VolumeLocation.NeedsAllNodes) {
      Attempt<List<Node>> nodesAnswer = cluster.nodes();
      if (!(nodesAnswer instanceof Attempt.Done<List<Node>>(List<Node> nodes))) {
        return new Attempt.Failed<>(((Attempt.Failed<List<Node>>) nodesAnswer).failure());
      }
      location =
          VolumeLocation.of(request.nodeAffinity(), nodeName.get(), node, Optional.of(nodes));
    }
    return switch (location) {
      case VolumeLocation.OnNode(Node boundNode) ->
          removeDirectory(request, nodePaths, Optional.of(boundNode), timeout);
      case VolumeLocation.NodeMissing(String missingNode) ->
          handleMissingNode(request, missingNode);
      case VolumeLocation.Unclear(String reason) ->
          Attempt.rejected("volume " + request.volumeName() + ": " + reason);
      case VolumeLocation.NeedsAllNodes() ->
          throw new IllegalStateException("all nodes were read already");
    };
  }

  private Attempt<Deleted> handleMissingNode(Request request, String node) {
    return switch (missingNodePolicy) {
      case KEEP ->
          new Attempt.Failed<>(
              new Failure.Unreachable(
                  "node %s no longer exists, and with it the directory \"%s\": the volume is kept; delete it by hand if the node never comes back, or start with --plugin-setting local-path-node-gone=forget"
                      .formatted(node, request.source().attribute("path"))));
      case FORGET -> {
        log.log(
            Level.INFO,
            () ->
                "volume %s is deleted without its data: node %s no longer exists, and \"%s\" with it"
                    .formatted(request.volumeName(), node, request.source().attribute("path")));
        yield Attempt.done(new Deleted());
      }
    };
  }

  private Attempt<Deleted> removeDirectory(
      Request request, NodePaths nodePaths, Optional<Node> node, Duration timeout)
      throws InterruptedException {
    String nodeName = node.map(n -> n.meta().name()).orElse("");
    List<BasePath> bases = nodePaths.pathsOf(nodeName);
    RemovalDecision removal =
        RemovalDecision.ofUnconfiguredPath(request, bases, provisioner)
            .<RemovalDecision>map(decision -> decision)
            .orElseGet(() -> RemovalDecision.of(request, bases));
    return switch (removal) {
      case RemovalDecision.Reject(String reason) ->
          Attempt.rejected("volume " + request.volumeName() + ": " + reason);
      case RemovalDecision.Remove(VolumeDirectory directory) ->
          runJob(removalJob(request, directory, nodeName), node, timeout);
      case RemovalDecision.RemoveIfUnshared(VolumeDirectory directory) -> {
        Optional<Failure> otherUse = findOtherUse(request, directory, node);
        yield otherUse.isPresent()
            ? new Attempt.Failed<>(otherUse.get())
            : runJob(removalJob(request, directory, nodeName), node, timeout);
      }
    };
  }

  private static DirectoryJob removalJob(Request request, VolumeDirectory directory, String node) {
    return new DirectoryJob(DirectoryAction.REMOVE, directory, request.volumeName(), node);
  }

  private Attempt<Deleted> runJob(DirectoryJob job, Optional<Node> node, Duration timeout)
      throws InterruptedException {
    if (node.isPresent() && !jobRunner.canRun(job, node.get())) {
      return new Attempt.Failed<>(
          new Failure.Unreachable(
              "node %s is not ready: %s is removed when the node is ready"
                  .formatted(job.node(), job.directory())));
    }
    return switch (jobRunner.run(job, timeout)) {
      case Attempt.Done<Completed> _ -> Attempt.done(new Deleted());
      case Attempt.Failed<Completed>(Failure failure) -> new Attempt.Failed<>(failure);
    };
  }

  private Optional<Failure> findOtherUse(
      Request request, VolumeDirectory directory, Optional<Node> node) throws InterruptedException {
    return switch (cluster.volumes()) {
      case Attempt.Failed<List<Volume>>(Failure failure) -> Optional.of(failure);
      case Attempt.Done<List<Volume>>(List<Volume> volumes) -> {
        String names =
            SharedDirectories.findSharing(directory, request.volumeName(), node, volumes).stream()
                .map(volume -> volume.meta().name())
                .collect(Collectors.joining(", "));
        yield names.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Failure.InUse(
                    "the directory %s is removed once no other volume uses it, a directory in it or a directory above it: %s"
                        .formatted(directory, names)));
      }
    };
  }
}
