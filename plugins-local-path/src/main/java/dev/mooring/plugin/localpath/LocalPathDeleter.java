package dev.mooring.plugin.localpath;

import dev.mooring.model.Node;
import dev.mooring.model.Volume;
import dev.mooring.plugin.localpath.DirectoryJob.Ended;
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
  enum NodeGone {
    KEEP,
    /** The volume is deleted; its data stays on the node's disk. */
    FORGET
  }

  private final String provisioner;
  private final ReloadedConfig config;
  private final PluginCluster cluster;
  private final JobRunner nodes;
  private final NodeGone nodeGone;
  private final Logger log;

  LocalPathDeleter(
      String provisioner,
      ReloadedConfig config,
      PluginContext context,
      JobRunner nodes,
      NodeGone nodeGone) {
    this.provisioner = provisioner;
    this.config = config;
    this.cluster = context.cluster();
    this.log = context.logger();
    this.nodes = nodes;
    this.nodeGone = nodeGone;
  }

  @Override
  public Attempt<Deleted> delete(Request request) {
    Attempt<Deleted> deleted = deleted(request);
    if (deleted instanceof Attempt.Done<Deleted>) {
      nodes.capacity().release(request.volumeName());
    }
    return deleted;
  }

  private Attempt<Deleted> deleted(Request request) {
    try {
      LocalPathConfig now = config.now();
      NodePaths places = now.places(request.className());
      return places instanceof NodePaths.Shared
          ? remove(request, places, Optional.empty(), now.timeout())
          : ofNode(request, places, now.timeout());
    } catch (InvalidInputException e) {
      return Attempt.rejected(e.why());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.Failed<>(
          new Failure.Uncertain("interrupted; the next retry continues the work"));
    }
  }

  private Attempt<Deleted> ofNode(Request request, NodePaths places, Duration timeout)
      throws InterruptedException {
    Optional<String> name =
        VolumeLocation.named(
            request.nodeAffinity(), request.annotations().getOrDefault(VolumePlacement.NODE, ""));
    if (name.isEmpty()) {
      return Attempt.rejected(
          "volume " + request.volumeName() + " does not name the node that it is bound to");
    }
    Attempt<Optional<Node>> asked = cluster.node(name.get());
    if (!(asked instanceof Attempt.Done<Optional<Node>>(Optional<Node> node))) {
      return new Attempt.Failed<>(((Attempt.Failed<Optional<Node>>) asked).why());
    }
    VolumeLocation where =
        VolumeLocation.of(request.nodeAffinity(), name.get(), node, Optional.empty());
    if (where instanceof VolumeLocation.AskAll) {
      Attempt<List<Node>> all = cluster.nodes();
      if (!(all instanceof Attempt.Done<List<Node>>(List<Node> every))) {
        return new Attempt.Failed<>(((Attempt.Failed<List<Node>>) all).why());
      }
      where = VolumeLocation.of(request.nodeAffinity(), name.get(), node, Optional.of(every));
    }
    return switch (where) {
      case VolumeLocation.On(Node on) -> remove(request, places, Optional.of(on), timeout);
      case VolumeLocation.Gone(String gone) -> gone(request, gone);
      case VolumeLocation.Unclear(String why) ->
          Attempt.rejected("volume " + request.volumeName() + ": " + why);
      case VolumeLocation.AskAll() ->
          throw new IllegalStateException("all nodes were read already");
    };
  }

  private Attempt<Deleted> gone(Request request, String node) {
    return switch (nodeGone) {
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

  private Attempt<Deleted> remove(
      Request request, NodePaths places, Optional<Node> node, Duration timeout)
      throws InterruptedException {
    String nodeName = node.map(n -> n.meta().name()).orElse("");
    List<BasePath> bases = places.of(nodeName);
    RemovalDecision removal =
        RemovalDecision.outside(request, bases, provisioner)
            .<RemovalDecision>map(own -> own)
            .orElseGet(() -> RemovalDecision.of(request, bases));
    return switch (removal) {
      case RemovalDecision.Never(String why) ->
          Attempt.rejected("volume " + request.volumeName() + ": " + why);
      case RemovalDecision.Own(VolumeDirectory directory) ->
          remove(job(request, directory, nodeName), node, timeout);
      case RemovalDecision.IfNobodyElses(VolumeDirectory directory) -> {
        Optional<Failure> others = others(request, directory, node);
        yield others.isPresent()
            ? new Attempt.Failed<>(others.get())
            : remove(job(request, directory, nodeName), node, timeout);
      }
    };
  }

  private static DirectoryJob job(Request request, VolumeDirectory directory, String node) {
    return new DirectoryJob(DirectoryAction.REMOVE, directory, request.volumeName(), node);
  }

  private Attempt<Deleted> remove(DirectoryJob job, Optional<Node> node, Duration timeout)
      throws InterruptedException {
    if (node.isPresent() && !nodes.canRun(job, node.get())) {
      return new Attempt.Failed<>(
          new Failure.Unreachable(
              "node %s is not ready: %s is removed when the node is ready"
                  .formatted(job.node(), job.directory())));
    }
    return switch (nodes.run(job, timeout)) {
      case Attempt.Done<Ended> _ -> Attempt.done(new Deleted());
      case Attempt.Failed<Ended>(Failure why) -> new Attempt.Failed<>(why);
    };
  }

  private Optional<Failure> others(Request request, VolumeDirectory directory, Optional<Node> node)
      throws InterruptedException {
    return switch (cluster.volumes()) {
      case Attempt.Failed<List<Volume>>(Failure why) -> Optional.of(why);
      case Attempt.Done<List<Volume>>(List<Volume> all) -> {
        String names =
            SharedDirectories.of(directory, request.volumeName(), node, all).stream()
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
