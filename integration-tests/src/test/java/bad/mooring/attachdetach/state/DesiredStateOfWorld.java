package bad.mooring.attachdetach.state;

import java.util.HashSet;
import java.util.Set;

/** R6: a state of world with a field that others can write. */
public class DesiredStateOfWorld {
  final Set<String> volumes = new HashSet<>();

  public void use(String volume) {
    volumes.add(volume);
  }
}
