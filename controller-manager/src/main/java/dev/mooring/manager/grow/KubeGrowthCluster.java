package dev.mooring.manager.grow;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.WholeObjectWriter;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

public final class KubeGrowthCluster implements GrowthCluster {
  private static final String TRIAL_NAME = "mooring-grow-check";

  private final KubeCluster cluster;
  private final WholeObjectWriter writer;

  public KubeGrowthCluster(KubeConnection connection, Time time) {
    this.cluster = KubeCluster.alone(connection, time);
    this.writer = new WholeObjectWriter(connection);
  }

  private static <T> Optional<T> require(ReadResult<T> result, String what) throws IOException {
    if (result instanceof ReadResult.Failed<T>(String message)) {
      throw new IOException("cannot read " + what + ": " + message);
    }
    return result.toOptional();
  }

  @Override
  public GrowthView read(GrowthRequest request) throws IOException, InterruptedException {
    ObjectKey configMap = request.configMap();
    ObjectKey statefulSet = request.statefulSet();
    Optional<Map<String, Object>> stored =
        require(cluster.readWhole(GrowthRequest.CONFIG_MAP, configMap), "ConfigMap " + configMap);
    Optional<SavedStatefulSet> saved = stored.flatMap(SavedStatefulSet::parse);
    if (stored.isPresent() && saved.isEmpty()) {
      throw new IOException(
          "ConfigMap "
              + configMap
              + " does not contain a StatefulSet that 'mooring grow' saved: check and delete it");
    }
    Optional<StoredStatefulSet> current =
        require(
                cluster.readWhole(GrowthRequest.STATEFUL_SET, statefulSet),
                "StatefulSet " + statefulSet)
            .map(StoredStatefulSet::new);
    Pattern names = GrowthPlanner.claimNames(".+", statefulSet);
    List<Claim> claims =
        require(
                cluster.list(Kind.CLAIM, statefulSet.namespace()),
                "the claims in " + statefulSet.namespace())
            .orElse(List.of())
            .stream()
            .filter(claim -> names.matcher(claim.key().name()).matches())
            .toList();
    return new GrowthView(
        saved, stored.map(SavedStatefulSet::location), current, claims, readClasses(claims));
  }

  // Users of one namespace often may not read classes; the API server then checks them.
  private Map<String, ReadResult<StorageClass>> readClasses(List<Claim> claims)
      throws InterruptedException {
    Map<String, ReadResult<StorageClass>> classes = new TreeMap<>();
    for (Claim claim : claims) {
      String name = claim.className();
      if (!name.isEmpty() && !classes.containsKey(name)) {
        classes.put(name, cluster.read(Kind.STORAGE_CLASS, ObjectKey.cluster(name)));
      }
    }
    return classes;
  }

  @Override
  public ReadResult<Claim> readClaim(ObjectKey key) throws InterruptedException {
    return cluster.read(Kind.CLAIM, key);
  }

  @Override
  public WriteResult<ObjectKey> tryCreation(ObjectKey key, SavedStatefulSet saved)
      throws InterruptedException {
    return writer.tryCreate(
        GrowthRequest.STATEFUL_SET,
        ObjectKey.of(key.namespace(), TRIAL_NAME),
        StoredStatefulSet.renamed(saved.toCreate(), TRIAL_NAME));
  }

  @Override
  public WriteResult<Claim> patchClaim(ObjectKey key, Document patch) throws InterruptedException {
    return cluster.patch(Kind.CLAIM, key, patch);
  }

  @Override
  public WriteResult<ObjectKey> createConfigMap(ObjectKey key, SavedStatefulSet saved)
      throws InterruptedException {
    return writer.create(GrowthRequest.CONFIG_MAP, key, saved.toConfigMap(key));
  }

  @Override
  public WriteResult<ObjectKey> patchConfigMap(
      ObjectKey key, SavedStatefulSet.Location location, SavedStatefulSet saved)
      throws InterruptedException {
    return writer.patch(
        GrowthRequest.CONFIG_MAP,
        key,
        versioned(location.uid(), location.version()).set(saved.data(), "data"));
  }

  private static Document versioned(Uid uid, long version) {
    return Document.empty()
        .set(uid.toString(), "metadata", "uid")
        .set(Long.toString(version), "metadata", "resourceVersion");
  }

  @Override
  public WriteResult<ObjectKey> deleteConfigMap(ObjectKey key, SavedStatefulSet.Location location)
      throws InterruptedException {
    return writer.delete(GrowthRequest.CONFIG_MAP, key, location.uid(), location.version());
  }

  @Override
  public WriteResult<ObjectKey> deleteStatefulSet(ObjectKey key, Uid uid, long version)
      throws InterruptedException {
    return writer.deleteAndOrphan(GrowthRequest.STATEFUL_SET, key, uid, version);
  }

  @Override
  public WriteResult<ObjectKey> createStatefulSet(ObjectKey key, SavedStatefulSet saved)
      throws InterruptedException {
    return writer.create(GrowthRequest.STATEFUL_SET, key, saved.toCreate());
  }

  @Override
  public WriteResult<ObjectKey> setFieldManagers(
      ObjectKey key, StoredStatefulSet current, List<?> entries) throws InterruptedException {
    return writer.patch(
        GrowthRequest.STATEFUL_SET,
        key,
        versioned(current.uid(), current.version()).set(entries, "metadata", "managedFields"));
  }
}
