package dev.mooring.binder.execute;

import dev.mooring.binder.decide.RecycleView;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;

/** Looks at a volume with its users and the recycler pod of that key. Thread-safe. */
@FunctionalInterface
public interface RecyclerSight {
  /** The view; what this process did is yet to be filled in. */
  RecycleView of(Volume volume, ObjectKey recycler);
}
