package dev.mooring.plugin.localpath;

import dev.mooring.model.Node;
import dev.mooring.model.Volume;
import dev.mooring.plugin.localpath.DirectoryJob.Ended;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.PluginCluster;
import dev.mooring.spi.Provisioner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

final class LocalPathProvisioner implements Provisioner {
  private static final Duration ANOTHER_NODE_SOON = Duration.ofSeconds(1);

  private final ReloadedConfig config;
  private final PluginCluster cluster;
  private final JobRunner nodes;

  LocalPathProvisioner(ReloadedConfig config, PluginCluster cluster, JobRunner nodes) {
    this.config = config;
    this.cluster = cluster;
    this.nodes = nodes;
  }

  @Override
  public Optional<String> refuses(Request request) {
    try {
      check(request, config.now());
      return Optional.empty();
    } catch (InvalidInputException e) {
      return Optional.of("StorageClass " + request.className() + ": " + e.why());
    }
  }

  private static void check(Request request, LocalPathConfig now) throws InvalidInputException {
    VolumePlacement.check(
        request, now.places(request.className()), now.limits(request.className()));
  }

  @Override
  public Attempt<Provisioned> provision(Request request) {
    try {
      LocalPathConfig now = config.now();
      check(request, now);
      return provision(request, now, now.places(request.className()));
    } catch (InvalidInputException e) {
      return Attempt.rejected(e.why());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.Failed<>(
          new Failure.Uncertain("interrupted; the next retry continues the work"));
    }
  }

  private Attempt<Provisioned> provision(Request request, LocalPathConfig now, NodePaths places)
      throws InvalidInputException, InterruptedException {
    String selected = request.selectedNode();
    if (selected == null) {
      return place(request, now, places, Optional.empty());
    }
    return switch (cluster.node(selected)) {
      case Attempt.Failed<Optional<Node>>(Failure why) -> new Attempt.Failed<>(why);
      case Attempt.Done<Optional<Node>>(Optional<Node> node) ->
          node.isEmpty()
              ? elsewhere("node " + selected + " no longer exists")
              : place(request, now, places, node);
    };
  }

  private static Attempt<Provisioned> elsewhere(String why) {
    return new Attempt.Failed<>(new Failure.Exhausted(why, ANOTHER_NODE_SOON));
  }

  private Attempt<Provisioned> place(
      Request request, LocalPathConfig now, NodePaths places, Optional<Node> node)
      throws InvalidInputException, InterruptedException {
    List<VolumePlacement> candidates = VolumePlacement.of(request, places, node);
    if (!now.counts()) {
      return make(candidates.getFirst(), request, now, places, node);
    }
    return switch (nodes.capacity().reserve(request, candidates, places, node)) {
      case Attempt.Failed<CapacityLedger.Reservation>(Failure why) -> new Attempt.Failed<>(why);
      case Attempt.Done<CapacityLedger.Reservation>(CapacityLedger.Reservation given) -> {
        Attempt<Provisioned> made = make(given.placement(), request, now, places, node);
        if (given.isFirst() && nothingWasDone(made)) {
          nodes.capacity().release(request.volumeName());
        }
        yield made;
      }
    };
  }

  private static boolean nothingWasDone(Attempt<Provisioned> attempt) {
    return attempt instanceof Attempt.Failed<Provisioned>(Failure why)
        && !(why instanceof Failure.Uncertain || why instanceof Failure.Fault);
  }

  private static DirectoryJob job(VolumePlacement placement, Request request, Optional<Node> node) {
    return new DirectoryJob(
        DirectoryAction.MAKE,
        placement.directory(),
        request.volumeName(),
        node.map(n -> n.meta().name()).orElse(""));
  }

  private Attempt<Provisioned> make(
      VolumePlacement placement,
      Request request,
      LocalPathConfig now,
      NodePaths places,
      Optional<Node> node)
      throws InterruptedException {
    DirectoryJob job = job(placement, request, node);
    if (node.isPresent() && !nodes.canRun(job, node.get())) {
      return elsewhere("node " + job.node() + " is not ready");
    }
    Optional<Attempt<Provisioned>> taken =
        placement.own()
            ? Optional.empty()
            : taken(
                placement, request, places instanceof NodePaths.Shared ? Optional.empty() : node);
    if (taken.isPresent()) {
      return taken.get();
    }
    return switch (nodes.run(job, now.timeout())) {
      case Attempt.Done<Ended> _ -> Attempt.done(placement.made());
      case Attempt.Failed<Ended>(Failure why) -> new Attempt.Failed<>(why);
    };
  }

  private Optional<Attempt<Provisioned>> taken(
      VolumePlacement placement, Request request, Optional<Node> node) throws InterruptedException {
    if (!(cluster.volumes() instanceof Attempt.Done<List<Volume>>(List<Volume> all))) {
      return Optional.of(
          new Attempt.Failed<>(
              new Failure.Unreachable(
                  "the owner of %s cannot be determined now; retrying"
                      .formatted(placement.directory()))));
    }
    List<Volume> neighbours =
        SharedDirectories.of(placement.directory(), request.volumeName(), node, all);
    return switch (SharedDirectories.mayHave(
        placement.directory(), request.claim().key(), neighbours)) {
      case SharedDirectories.Verdict.Free() -> Optional.empty();
      case SharedDirectories.Verdict.NotYet(String why) ->
          Optional.of(new Attempt.Failed<>(new Failure.InUse(why)));
      case SharedDirectories.Verdict.Taken(String why) -> Optional.of(Attempt.rejected(why));
    };
  }
}
