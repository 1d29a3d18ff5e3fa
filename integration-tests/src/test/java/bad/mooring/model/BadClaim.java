package bad.mooring.model;

/** Changes while somebody decides about it. */
public final class BadClaim {
  private String volume = "";

  public String volume() {
    return volume;
  }

  public void bind(String name) {
    volume = name;
  }
}
