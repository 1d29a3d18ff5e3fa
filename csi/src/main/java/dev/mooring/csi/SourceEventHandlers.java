package dev.mooring.csi;

import dev.mooring.csi.decide.SourceChanges;
import dev.mooring.csi.execute.BlockedClaims;
import dev.mooring.csi.execute.BlockedClaims.Input;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.model.Resource;
import dev.mooring.reconcile.ControllerSpec;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Requeues claims whose request could not be prepared, when one of its inputs changes: the data
 * source, its grants, the class, or the driver's nodes. Watches no additional custom resources, and
 * never Secrets. Claims that wait for anything else rely on their back-off.
 */
final class SourceEventHandlers {
  private final String driver;
  private final CsiConfig config;
  private final SharedInformers informers;
  private final BlockedClaims waiting;

  SourceEventHandlers(
      String driver, CsiConfig config, SharedInformers informers, BlockedClaims waiting) {
    this.driver = driver;
    this.config = config;
    this.informers = informers;
    this.waiting = waiting;
  }

  ControllerSpec spec() {
    Informer<CsiNode> csiNodes = informers.of(Kind.CSI_NODE);
    Informer<Node> nodes = informers.of(Kind.NODE);
    ControllerSpec.Builder spec =
        ControllerSpec.named("csi-sources-" + driver)
            .reads(
                informers.of(Kind.CLAIM),
                informers.of(Kind.VOLUME),
                informers.of(Kind.STORAGE_CLASS),
                csiNodes,
                nodes)
            .onChange(csiNodes, this::csiNodeChanged)
            .onChange(nodes, this::nodeChanged)
            .once(() -> requeueOnChange(Kind.CLAIM, SourceChanges::concerns))
            .once(() -> requeueOnChange(Kind.VOLUME, SourceChanges::concerns))
            .once(() -> requeueOnChange(Kind.STORAGE_CLASS, (before, now) -> true));
    if (config.snapshots().isPresent()) {
      spec.uses(informers.of(Kind.SNAPSHOT));
    }
    if (config.sources().acrossNamespaces()) {
      Informer<ReferenceGrant> grants = informers.of(ReferenceGrant.KIND);
      spec.uses(grants).onChange(grants, this::grantChanged);
    }
    // other controllers may create these caches; all of them exist when this step runs
    return spec.once(() -> requeueOnChange(Kind.SNAPSHOT, SourceChanges::concerns))
        .once(() -> requeueOnChange(Kind.SNAPSHOT_CONTENT, SourceChanges::concerns))
        .once(() -> requeueOnChange(Kind.ATTRIBUTES_CLASS, (before, now) -> true))
        .build();
  }

  // Uses the cache only if another controller has one.
  private <T extends Resource> void requeueOnChange(Kind<T> kind, BiPredicate<T, T> unblocks) {
    informers
        .find(kind)
        .ifPresent(all ->
            all.onChange(change -> {
              boolean matters =
                  switch (change) {
                    case Change.Added<T> _ -> true;
                    case Change.Updated<T>(T before, T now) -> unblocks.test(before, now);
                    case Change.Deleted<T> _ -> false; // a deletion unblocks no claim
                  };
              if (matters) {
                waiting.changed(new Input(kind, change.key()));
              }
            }));
  }

  private void grantChanged(Change<ReferenceGrant> change) {
    if (!(change instanceof Change.Deleted<ReferenceGrant>)) {
      waiting.changed(Input.in(ReferenceGrant.KIND, change.key().namespace()));
    }
  }

  private void csiNodeChanged(Change<CsiNode> change) {
    boolean matters =
        switch (change) {
          case Change.Added<CsiNode>(CsiNode now) -> !keys(now).isEmpty();
          case Change.Updated<CsiNode>(CsiNode before, CsiNode now) ->
              !keys(now).isEmpty() && !keys(now).equals(keys(before));
          case Change.Deleted<CsiNode> _ -> false;
        };
    if (matters) {
      nodeMatters(change.key().name());
    }
  }

  private void nodeChanged(Change<Node> change) {
    List<String> keys =
        informers.of(Kind.CSI_NODE).get(change.key()).map(this::keys).orElse(List.of());
    boolean matters =
        switch (change) {
          case Change.Added<Node> _ -> !keys.isEmpty();
          case Change.Updated<Node>(Node before, Node now) ->
              SourceChanges.concerns(before, now, keys);
          case Change.Deleted<Node> _ -> false;
        };
    if (matters) {
      nodeMatters(change.key().name());
    }
  }

  private List<String> keys(CsiNode node) {
    return SourceChanges.keys(node, driver);
  }

  // An instance for one node ignores other nodes.
  private void nodeMatters(String name) {
    if (config.onlyNode().filter(only -> !only.equals(name)).isEmpty()) {
      waiting.changed(Input.node(name));
      waiting.changed(Input.anyNode());
    }
  }
}
