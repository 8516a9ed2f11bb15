"""The classes of values that the inputs of the document have: what the world sends, format by
format.

A suite that only sends what its author would type finds what its author would get wrong. Each class
has its reason in the document or in the standard that it names, a strategy that draws within it,
and a test by which a value of it is recognised, so that what a run has tried can be counted.
"""

from plumbline.spec.values.classes import Format as Format
from plumbline.spec.values.classes import ValueClass as ValueClass
from plumbline.spec.values.fields import FIELDS as FIELDS
from plumbline.spec.values.fields import Field as Field
