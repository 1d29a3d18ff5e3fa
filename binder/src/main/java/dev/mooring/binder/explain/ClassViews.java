package dev.mooring.binder.explain;

import dev.mooring.binder.decide.ClaimView.Provisioning;
import dev.mooring.binder.decide.ClassView;
import dev.mooring.binder.decide.ClassView.LeaseState;
import dev.mooring.binder.state.BinderViews;
import dev.mooring.explain.ClusterView;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.StorageClass;
import dev.mooring.time.Time;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Builds the views of storage classes from a snapshot of a cluster. Not thread-safe. */
public final class ClassViews {
  private final ClusterView clusterView;
  private final BinderViews views;
  private final Time time;
  private final Map<String, Integer> pendingClaims = new HashMap<>();
  private final Map<String, Integer> nodesByDriver = new HashMap<>();
  private final Map<String, List<StorageCapacity>> capacitiesByClass = new HashMap<>();
  private final Map<String, List<Lease>> leasesByName = new HashMap<>();

  public ClassViews(ClusterView clusterView, BinderViews views, Time time) {
    this.clusterView = clusterView;
    this.views = views;
    this.time = time;
  }

  private <T extends Resource> Iterable<T> listObjects(Kind<T> kind) {
    return clusterView.informer(kind).snapshot().objects();
  }

  public int countPendingClaims(String name) {
    if (pendingClaims.isEmpty()) {
      for (Claim claim : listObjects(Kind.CLAIM)) {
        if (claim.phase() == ClaimPhase.PENDING || claim.phase() == ClaimPhase.UNSET) {
          pendingClaims.merge(claim.className(), 1, Integer::sum);
        }
      }
    }
    return pendingClaims.getOrDefault(name, 0);
  }

  public Optional<ClassView> of(ObjectKey key) {
    return clusterView.informer(Kind.STORAGE_CLASS).get(key).map(this::createView);
  }

  private ClassView createView(StorageClass storageClass) {
    String driver = driverOf(storageClass);
    if (nodesByDriver.isEmpty()) {
      for (CsiNode node : listObjects(Kind.CSI_NODE)) {
        node.drivers().forEach(d -> nodesByDriver.merge(d.name(), 1, Integer::sum));
      }
    }
    if (capacitiesByClass.isEmpty()) {
      for (StorageCapacity capacity : listObjects(Kind.STORAGE_CAPACITY)) {
        capacitiesByClass
            .computeIfAbsent(capacity.storageClass(), c -> new ArrayList<>())
            .add(capacity);
      }
    }
    return new ClassView(
        storageClass,
        views.provisioningOf(storageClass),
        clusterView.informer(Kind.CSI_DRIVER).get(ObjectKey.cluster(driver)),
        nodesByDriver.getOrDefault(driver, 0),
        clusterView.informer(Kind.NODE).snapshot().size(),
        leaseState(leases(driver)),
        capacitiesByClass.getOrDefault(storageClass.meta().name(), List.of()));
  }

  private String driverOf(StorageClass storageClass) {
    return views.provisioningOf(storageClass) instanceof Provisioning.ByOthers(String name)
        ? name
        : storageClass.provisioner();
  }

  private List<Lease> leases(String provisioner) {
    if (leasesByName.isEmpty()) {
      for (Lease lease : listObjects(Kind.LEASE)) {
        leasesByName.computeIfAbsent(lease.meta().name(), n -> new ArrayList<>()).add(lease);
      }
    }
    String leaseName = provisioner.replaceAll("[^a-zA-Z0-9-]", "-");
    return Stream.of(
            provisioner.replace('/', '-'), leaseName.endsWith("-") ? leaseName + "X" : leaseName)
        .distinct()
        .sorted()
        .flatMap(name -> leasesByName.getOrDefault(name, List.of()).stream())
        .toList();
  }

  private LeaseState leaseState(List<Lease> leases) {
    if (leases.isEmpty()) {
      return LeaseState.NONE;
    }
    return leases.stream().anyMatch(this::isHeld) ? LeaseState.HELD : LeaseState.ENDED;
  }

  private boolean isHeld(Lease lease) {
    long now = TimeUnit.SECONDS.toMicros(time.now().getEpochSecond());
    return !lease.holder().isEmpty()
        && lease.renewedMicros() + TimeUnit.SECONDS.toMicros(lease.durationSeconds()) >= now;
  }

  public Optional<String> leaseOf(StorageClass storageClass) {
    List<Lease> leases = leases(driverOf(storageClass));
    return leases.stream()
        .filter(this::isHeld)
        .findFirst()
        .map(lease -> lease.key() + ", held by " + lease.holder())
        .or(() ->
            leases.stream()
                .findFirst()
                .map(lease ->
                    lease.key()
                        + (lease.holder().isEmpty()
                            ? ", without a holder"
                            : ", not renewed in time by " + lease.holder())));
  }
}
