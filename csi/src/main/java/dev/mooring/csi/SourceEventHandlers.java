package dev.mooring.csi;

import dev.mooring.csi.decide.SourceRules;
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
 * Has claims looked at whose volume could not be asked for because of something else, when that has
 * changed: what they are filled from, who may be filled from it, their class, and where the driver
 * runs. Of kinds that are custom resources, or may be missing, only what is watched here anyway, or
 * what was asked for by name; Secrets never. Who waits for anything else waits for its back-off.
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

  /** What it is made of, to be run once. */
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
            .once(() -> tell(Kind.CLAIM, SourceRules::concerns))
            .once(() -> tell(Kind.VOLUME, SourceRules::concerns))
            .once(() -> tell(Kind.STORAGE_CLASS, (before, now) -> true));
    if (config.snapshots().isPresent()) {
      spec.uses(informers.of(Kind.SNAPSHOT));
    }
    if (config.sources().acrossNamespaces()) {
      Informer<ReferenceGrant> grants = informers.of(ReferenceGrant.KIND);
      spec.uses(grants).onChange(grants, this::grantChanged);
    }
    // others may watch them, whom all have been made by the time when this begins
    return spec.once(() -> tell(Kind.SNAPSHOT, SourceRules::concerns))
        .once(() -> tell(Kind.SNAPSHOT_CONTENT, SourceRules::concerns))
        .once(() -> tell(Kind.ATTRIBUTES_CLASS, (before, now) -> true))
        .build();
  }

  /** If anybody watches the kind, who waits for one of it is told. */
  private <T extends Resource> void tell(Kind<T> kind, BiPredicate<T, T> concerns) {
    informers
        .find(kind)
        .ifPresent(all ->
            all.onChange(change -> {
              boolean matters =
                  switch (change) {
                    case Change.Added<T> _ -> true;
                    case Change.Updated<T>(T before, T now) -> concerns.test(before, now);
                    case Change.Deleted<T> _ -> false; // nobody waits for that
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
              SourceRules.concerns(before, now, keys);
          case Change.Deleted<Node> _ -> false;
        };
    if (matters) {
      nodeMatters(change.key().name());
    }
  }

  private List<String> keys(CsiNode node) {
    return SourceRules.keys(node, driver);
  }

  /** Where each node has an instance, what the others are is none of its business. */
  private void nodeMatters(String name) {
    if (config.onlyNode().filter(only -> !only.equals(name)).isEmpty()) {
      waiting.changed(Input.node(name));
      waiting.changed(Input.anyNode());
    }
  }
}
