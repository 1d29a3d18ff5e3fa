package dev.mooring.attachdetach.decide;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;

public record PodUse(ObjectKey pod, Uid uid, String node) {}
