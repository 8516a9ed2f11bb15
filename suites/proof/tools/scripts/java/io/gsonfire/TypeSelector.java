package io.gsonfire;

import com.google.gson.JsonElement;

/** Stands in for the interface of gson-fire; a client without inheritance only imports it. */
public interface TypeSelector<T> {
  Class<? extends T> getClassForElement(JsonElement element);
}
