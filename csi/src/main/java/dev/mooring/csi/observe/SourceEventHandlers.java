package dev.mooring.csi.observe;

import dev.mooring.csi.decide.SourceChanges;
import dev.mooring.csi.state.BlockedClaims;
import dev.mooring.csi.state.BlockedClaims.Input;
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
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Requeues claims whose request could not be prepared, when one of its inputs changes: the data
 * source, its grants, the class, or the driver's nodes. Watches no additional custom resources, and
 * never Secrets. Claims that wait for anything else rely on their back-off.
 */
public final class SourceEventHandlers {
  private final String driver;
  private final Optional<String> onlyNode;
  private final SharedInformers informers;
  private final BlockedClaims blockedClaims;

  public SourceEventHandlers(
      String driver,
      Optional<String> onlyNode,
      SharedInformers informers,
      BlockedClaims blockedClaims) {
    this.driver = driver;
    this.onlyNode = onlyNode;
    this.informers = informers;
    this.blockedClaims = blockedClaims;
  }

  public ControllerSpec.Builder declare(ControllerSpec.Builder spec) {
    Informer<CsiNode> csiNodes = informers.of(Kind.CSI_NODE);
    Informer<Node> nodes = informers.of(Kind.NODE);
    // other controllers may create the caches of the last kinds; all exist when the steps run
    return spec.reads(
            informers.of(Kind.CLAIM),
            informers.of(Kind.VOLUME),
            informers.of(Kind.STORAGE_CLASS),
            csiNodes,
            nodes)
        .addChangeHandler(csiNodes, this::csiNodeChanged)
        .addChangeHandler(nodes, this::nodeChanged)
        .once(() -> requeueOnChange(Kind.CLAIM, SourceChanges::canUnblock))
        .once(() -> requeueOnChange(Kind.VOLUME, SourceChanges::canUnblock))
        .once(() -> requeueOnChange(Kind.STORAGE_CLASS, (old, current) -> true))
        .once(() -> requeueOnChange(Kind.SNAPSHOT, SourceChanges::canUnblock))
        .once(() -> requeueOnChange(Kind.SNAPSHOT_CONTENT, SourceChanges::canUnblock))
        .once(() -> requeueOnChange(Kind.ATTRIBUTES_CLASS, (old, current) -> true));
  }

  // Uses the cache only if another controller has one.
  private <T extends Resource> void requeueOnChange(Kind<T> kind, BiPredicate<T, T> canUnblock) {
    informers
        .find(kind)
        .ifPresent(informer ->
            informer.onChange(change -> {
              boolean isRelevant =
                  switch (change) {
                    case Change.Added<T> _ -> true;
                    case Change.Updated<T>(T old, T current) -> canUnblock.test(old, current);
                    case Change.Deleted<T> _ -> false; // a deletion unblocks no claim
                  };
              if (isRelevant) {
                blockedClaims.inputChanged(new Input(kind, change.key()));
              }
            }));
  }

  public void grantChanged(Change<ReferenceGrant> change) {
    if (!(change instanceof Change.Deleted<ReferenceGrant>)) {
      blockedClaims.inputChanged(Input.allIn(ReferenceGrant.KIND, change.key().namespace()));
    }
  }

  private void csiNodeChanged(Change<CsiNode> change) {
    boolean isRelevant =
        switch (change) {
          case Change.Added<CsiNode>(CsiNode current) -> !topologyKeys(current).isEmpty();
          case Change.Updated<CsiNode>(CsiNode old, CsiNode current) ->
              !topologyKeys(current).isEmpty() && !topologyKeys(current).equals(topologyKeys(old));
          case Change.Deleted<CsiNode> _ -> false;
        };
    if (isRelevant) {
      requeueForNode(change.key().name());
    }
  }

  private void nodeChanged(Change<Node> change) {
    List<String> keys =
        informers.of(Kind.CSI_NODE).get(change.key()).map(this::topologyKeys).orElse(List.of());
    boolean isRelevant =
        switch (change) {
          case Change.Added<Node> _ -> !keys.isEmpty();
          case Change.Updated<Node>(Node old, Node current) ->
              SourceChanges.canUnblock(old, current, keys);
          case Change.Deleted<Node> _ -> false;
        };
    if (isRelevant) {
      requeueForNode(change.key().name());
    }
  }

  private List<String> topologyKeys(CsiNode node) {
    return SourceChanges.topologyKeys(node, driver);
  }

  // An instance for one node ignores other nodes.
  private void requeueForNode(String name) {
    if (onlyNode.filter(servedNode -> !servedNode.equals(name)).isEmpty()) {
      blockedClaims.inputChanged(Input.node(name));
      blockedClaims.inputChanged(Input.anyNode());
    }
  }
}
