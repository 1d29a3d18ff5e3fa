package dev.mooring.manager.grow;

import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Claim;
import dev.mooring.model.StorageClass;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Objects that a plan depends on. The ConfigMap is read before the StatefulSet: a StatefulSet that
 * replaces the saved one can then not be older than the ConfigMap.
 *
 * @param saved the saved StatefulSet
 * @param location its ConfigMap; present with {@code saved}
 * @param current the StatefulSet
 * @param claims claims of all templates of the StatefulSet
 * @param classes classes of the claims by name; a failed read means that the class is unknown
 */
public record GrowthView(
    Optional<SavedStatefulSet> saved,
    Optional<SavedStatefulSet.Location> location,
    Optional<StoredStatefulSet> current,
    List<Claim> claims,
    Map<String, ReadResult<StorageClass>> classes) {}
