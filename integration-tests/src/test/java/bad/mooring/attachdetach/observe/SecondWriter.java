package bad.mooring.attachdetach.observe;

import bad.mooring.attachdetach.decide.WorldUpdate;
import java.util.HashSet;
import java.util.Set;

/** R14: a second actual state of world that accepts reports. */
public final class SecondWriter implements ActualStateOfWorld {
  private final Set<String> attached = new HashSet<>();

  @Override
  public void attached(String volume) {
    attached.add(volume);
  }

  public void update(WorldUpdate update) {
    switch (update) {
      case WorldUpdate.Attached(String volume) -> attached(volume);
    }
  }
}
