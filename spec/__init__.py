"""The contract of the Sales Pipeline Service: its chapters, its compiler, and what is generated
from them.
"""

from plumbline.spec.catalogue import Catalogue as Catalogue
from plumbline.spec.catalogue import ConformanceClass as ConformanceClass
from plumbline.spec.catalogue import OpenItem as OpenItem
from plumbline.spec.catalogue import Requirement as Requirement
from plumbline.spec.catalogue import catalogue as catalogue
from plumbline.spec.catalogue import kit_openapi as kit_openapi
from plumbline.spec.catalogue import openapi as openapi
from plumbline.spec.catalogue import schema as schema
