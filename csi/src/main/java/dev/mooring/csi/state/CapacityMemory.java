package dev.mooring.csi.state;

import dev.mooring.csi.decide.CapacityObjectCount;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.Uid;
import dev.mooring.spi.csi.StatusCode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Capacity objects and answers of a driver at the last updates. Thread-safe. */
public final class CapacityMemory {
  private record ClassSegment(String className, Map<String, String> segment) {}

  private final Map<String, CapacityObjectCount> counts = new ConcurrentHashMap<>(); // by class
  private final Map<ClassSegment, StatusCode> refusals = new ConcurrentHashMap<>();
  private final Set<Uid> ownedObjects = ConcurrentHashMap.newKeySet();

  public void setCount(String className, CapacityObjectCount objects) {
    counts.put(className, objects);
  }

  public void forgetClass(String className) {
    counts.remove(className);
    refusals.keySet().removeIf(key -> key.className().equals(className));
  }

  // Returns whether the last answer for the segment was another one.
  public boolean recordRefusal(String className, Map<String, String> segment, StatusCode code) {
    return refusals.put(new ClassSegment(className, segment), code) != code;
  }

  public void forgetRefusal(String className, Map<String, String> segment) {
    refusals.remove(new ClassSegment(className, segment));
  }

  public CapacityObjectCount sumCounts() {
    return counts.values().stream().reduce(CapacityObjectCount.NONE, CapacityObjectCount::plus);
  }

  // Records that the object has our owner reference.
  public void recordOwned(Uid object) {
    ownedObjects.add(object);
  }

  public boolean isOwned(Uid object) {
    return ownedObjects.contains(object);
  }

  public void retainObjects(List<StorageCapacity> objects) {
    Set<Uid> uids = new HashSet<>();
    objects.forEach(object -> uids.add(object.meta().uid()));
    ownedObjects.retainAll(uids);
  }
}
