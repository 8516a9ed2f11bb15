package io.gsonfire;

import com.google.gson.GsonBuilder;

/** Stands in for the class of gson-fire where no registry has it: a client without inheritance asks for a plain builder. */
public class GsonFireBuilder {
  public GsonBuilder createGsonBuilder() {
    return new GsonBuilder();
  }
}
