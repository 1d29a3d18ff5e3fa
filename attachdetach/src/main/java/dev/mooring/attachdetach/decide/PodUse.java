package dev.mooring.attachdetach.decide;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;

/**
 * A pod that uses a volume.
 *
 * @param pod namespace and name
 * @param uid its uid
 * @param node the node that it runs on
 */
public record PodUse(ObjectKey pod, Uid uid, String node) {}
