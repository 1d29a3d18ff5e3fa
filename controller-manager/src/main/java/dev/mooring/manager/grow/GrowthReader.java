package dev.mooring.manager.grow;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

record GrowthReader(LiveReader cluster) {
  // Throws an IOException with a message of one line if an object cannot be read.
  GrowthView read(GrowthRequest request) throws IOException, InterruptedException {
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

  private static <T> Optional<T> require(ReadResult<T> result, String subject) throws IOException {
    if (result instanceof ReadResult.Failed<T>(String message)) {
      throw new IOException("cannot read " + subject + ": " + message);
    }
    return result.toOptional();
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
}
